extension RPCSpecification {
    /// The requests: function name and id, then parameters.
    static let requests = """
        RegisterAppInterface 1: syncMsgVersion! SyncMsgVersion, appName! S100,
          ttsName [TTSChunk]1:100, ngnMediaScreenAppName S100, vrSynonyms [S40]1:100,
          isMediaApplication! B, languageDesired! Language, hmiDisplayLanguageDesired~ Language,
          appHMIType [AppHMIType]1:100, hashID S100, deviceInfo DeviceInfo, appID~ S100,
          fullAppID S100, appInfo AppInfo, dayColorScheme TemplateColorScheme,
          nightColorScheme TemplateColorScheme
        UnregisterAppInterface 2:
        SetGlobalProperties 3: userLocation SeatLocation, helpPrompt [TTSChunk]1:100,
          timeoutPrompt [TTSChunk]1:100, vrHelpTitle S500, vrHelp [VrHelpItem]1:100, menuTitle S500,
          menuIcon Image, keyboardProperties KeyboardProperties, menuLayout MenuLayout
        ResetGlobalProperties 4: properties! [GlobalProperty]1:100
        AddCommand 5: cmdID! I0:2000000000, menuParams MenuParams, vrCommands [S99]1:100,
          cmdIcon Image, secondaryImage Image
        DeleteCommand 6: cmdID! I0:2000000000
        AddSubMenu 7: menuID! I1:2000000000, position I0:1000, menuName! S500, menuIcon Image,
          menuLayout MenuLayout, parentID I0:2000000000, secondaryText S500, tertiaryText S500,
          secondaryImage Image
        DeleteSubMenu 8: menuID! I1:2000000000
        CreateInteractionChoiceSet 9: interactionChoiceSetID! I0:2000000000,
          choiceSet! [Choice]1:100
        PerformInteraction 10: initialText! S500, initialPrompt [TTSChunk]1:100,
          interactionMode! InteractionMode, interactionChoiceSetIDList! [I0:2000000000]0:100,
          helpPrompt [TTSChunk]1:100, timeoutPrompt [TTSChunk]1:100, timeout I5000:100000,
          vrHelp [VrHelpItem]1:100, interactionLayout LayoutMode, cancelID I
        DeleteInteractionChoiceSet 11: interactionChoiceSetID! I0:2000000000
        Alert 12: alertText1 S500, alertText2 S500, alertText3 S500, ttsChunks [TTSChunk]1:100,
          duration I3000:10000, playTone B, progressIndicator B, softButtons [SoftButton]0:4,
          alertIcon Image, cancelID I
        Show 13: mainField1 S500, mainField2 S500, mainField3 S500, mainField4 S500,
          alignment TextAlignment, statusBar S500, mediaClock S500, mediaTrack S500, graphic Image,
          secondaryGraphic Image, softButtons [SoftButton]0:8, customPresets [S500]0:10,
          metadataTags MetadataTags, templateTitle S100, windowID I,
          templateConfiguration TemplateConfiguration
        Speak 14: ttsChunks! [TTSChunk]1:100
        SetMediaClockTimer 15: startTime StartTime, endTime StartTime, updateMode! UpdateMode,
          audioStreamingIndicator AudioStreamingIndicator,
          forwardSeekIndicator SeekStreamingIndicator, backSeekIndicator SeekStreamingIndicator,
          countRate F0.1:100.0
        PerformAudioPassThru 16: initialPrompt [TTSChunk]1:100, audioPassThruDisplayText1 S500,
          audioPassThruDisplayText2 S500, samplingRate! SamplingRate, maxDuration! I1:1000000,
          bitsPerSample! BitsPerSample, audioType! AudioType, muteAudio B
        EndAudioPassThru 17:
        SubscribeButton 18: buttonName! ButtonName
        UnsubscribeButton 19: buttonName! ButtonName
        SubscribeVehicleData 20: gps B, speed B, rpm B, fuelLevel B, fuelLevel_State B,
          instantFuelConsumption B, fuelRange B, climateData B, externalTemperature B, turnSignal B,
          gearStatus B, prndl B, tirePressure B, odometer B, beltStatus B, bodyInformation B,
          deviceStatus B, driverBraking B, wiperStatus B, headLampStatus B, engineTorque B,
          accPedalPosition B, steeringWheelAngle B, engineOilLife B, electronicParkBrakeStatus B,
          cloudAppVehicleID B, stabilityControlsStatus B, eCallInfo B, airbagStatus B,
          emergencyEvent B, clusterModeStatus B, myKey B, windowStatus B, handsOffSteering B,
          seatOccupancy B
        UnsubscribeVehicleData 21: gps B, speed B, rpm B, fuelLevel B, fuelLevel_State B,
          instantFuelConsumption B, fuelRange B, climateData B, externalTemperature B, turnSignal B,
          gearStatus B, prndl B, tirePressure B, odometer B, beltStatus B, bodyInformation B,
          deviceStatus B, driverBraking B, wiperStatus B, headLampStatus B, engineTorque B,
          accPedalPosition B, steeringWheelAngle B, engineOilLife B, electronicParkBrakeStatus B,
          cloudAppVehicleID B, stabilityControlsStatus B, eCallInfo B, airbagStatus B,
          emergencyEvent B, clusterModeStatus B, myKey B, windowStatus B, handsOffSteering B,
          seatOccupancy B
        GetVehicleData 22: gps B, speed B, rpm B, fuelLevel B, fuelLevel_State B,
          instantFuelConsumption B, fuelRange B, climateData B, externalTemperature B, turnSignal B,
          vin B, gearStatus B, prndl B, tirePressure B, odometer B, beltStatus B, bodyInformation B,
          deviceStatus B, driverBraking B, wiperStatus B, headLampStatus B, engineTorque B,
          accPedalPosition B, steeringWheelAngle B, engineOilLife B, electronicParkBrakeStatus B,
          cloudAppVehicleID B, stabilityControlsStatus B, eCallInfo B, airbagStatus B,
          emergencyEvent B, clusterModeStatus B, myKey B, windowStatus B, handsOffSteering B,
          seatOccupancy B
        ReadDID 23: ecuName! I0:65535, didLocation! [I0:65535]1:1000
        GetDTCs 24: ecuName! I0:65535, dtcMask I0:255
        ScrollableMessage 25: scrollableMessageBody! S500, timeout I1000:65535,
          softButtons [SoftButton]0:8, cancelID I
        Slider 26: numTicks! I2:26, position! I1:26, sliderHeader! S500, sliderFooter [S500]1:26,
          timeout I1000:65535, cancelID I
        ShowConstantTBT 27: navigationText1 S500, navigationText2 S500, eta S500,
          timeToDestination S500, totalDistance S500, turnIcon Image, nextTurnIcon Image,
          distanceToManeuver F0:1000000000, distanceToManeuverScale F0:1000000000,
          maneuverComplete B, softButtons [SoftButton]0:3
        AlertManeuver 28: ttsChunks [TTSChunk]1:100, softButtons [SoftButton]0:3
        UpdateTurnList 29: turnList [Turn]1:100, softButtons [SoftButton]0:1
        ChangeRegistration 30: language! Language, hmiDisplayLanguage! Language, appName S100,
          ttsName [TTSChunk]1:100, ngnMediaScreenAppName S100, vrSynonyms [S40]1:100
        PutFile 32: syncFileName! S255, fileType! FileType, persistentFile B, systemFile B,
          offset I0:2000000000, length I0:2000000000, crc I0:4294967295
        DeleteFile 33: syncFileName! S500
        ListFiles 34:
        SetAppIcon 35: syncFileName! S500
        SetDisplayLayout 36: displayLayout! S500, dayColorScheme TemplateColorScheme,
          nightColorScheme TemplateColorScheme
        DiagnosticMessage 37: targetID! I0:65535, messageLength! I0:65535,
          messageData! [I0:255]1:65535
        SystemRequest 38: requestType! RequestType, requestSubType S255, fileName S255
        SendLocation 39: longitudeDegrees F-180:180, latitudeDegrees F-90:90, locationName S500,
          locationDescription S500, addressLines [S500]0:4, phoneNumber S500, locationImage Image,
          timeStamp DateTime, address OASISAddress, deliveryMode DeliveryMode
        DialNumber 40: number! S40
        ButtonPress 41: moduleType! ModuleType, moduleId S100, buttonName! ButtonName,
          buttonPressMode! ButtonPressMode
        GetInteriorVehicleData 43: moduleType! ModuleType, moduleId S100, subscribe B
        SetInteriorVehicleData 44: moduleData! ModuleData
        GetWayPoints 45: wayPointType! WayPointType
        SubscribeWayPoints 46:
        UnsubscribeWayPoints 47:
        GetSystemCapability 48: systemCapabilityType! SystemCapabilityType, subscribe B
        SendHapticData 49: hapticRectData [HapticRect]0:1000
        SetCloudAppProperties 50: properties! CloudAppProperties
        GetCloudAppProperties 51: appID! S100
        PublishAppService 52: appServiceManifest! AppServiceManifest
        GetAppServiceData 53: serviceType! S, subscribe B
        GetFile 54: fileName! S255, appServiceId S, fileType FileType, offset I0:2000000000,
          length I0:2000000000
        PerformAppServiceInteraction 55: serviceUri! S, serviceID! S, originApp! S,
          requestServiceActive B
        UnpublishAppService 56: serviceID! S
        CancelInteraction 57: cancelID I, functionID! I
        CloseApplication 58:
        ShowAppMenu 59: menuID I1:2000000000
        CreateWindow 60: windowID! I, windowName! S100, type! WindowType, associatedServiceType S,
          duplicateUpdatesFromWindowID I
        DeleteWindow 61: windowID! I
        GetInteriorVehicleDataConsent 62: moduleType! ModuleType, moduleIds! [S100]
        ReleaseInteriorVehicleDataModule 63: moduleType! ModuleType, moduleId S100
        SubtleAlert 64: alertText1 S500, alertText2 S500, alertIcon Image,
          ttsChunks [TTSChunk]1:100, duration I3000:10000, softButtons [SoftButton]0:2, cancelID I
        EncodedSyncPData 65536: data! [S1000000]1:100
        """
}
